"""Today's splitters as external systems: segmentation only, the best of five settings on validation documents."""
