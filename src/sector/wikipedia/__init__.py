"""Wikipedia: data sets in WikiSection's style, and topic labels for their headings."""
