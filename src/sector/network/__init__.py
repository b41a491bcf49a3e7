"""The network of the paper's sections 4.2 and 4.3: its shape, its layers and its losses. All but the shape need torch."""
