"""From a Wikipedia dump to a data set of articles with sections, in WikiSection's format."""
