"""The network of the paper's sections 4.2 and 4.3: shape, layers and losses. All but the shape need torch."""
