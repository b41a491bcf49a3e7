"""The paper's configurations, and the fast models' recipe with one thing changed: trained, scored, printed."""
