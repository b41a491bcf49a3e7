"""Today's splitters as external systems: segmentation only, each with the best of five settings on validation documents."""
