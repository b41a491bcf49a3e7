"""Export: everything that turns trained weights into a model folder. Nothing here runs when a document is segmented."""
