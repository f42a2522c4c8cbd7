"""The relations of the graph: one module each, stating its evidence."""
