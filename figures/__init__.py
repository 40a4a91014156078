"""One file a figure or table of the papers, one folder a paper: the table first, the drawing second, findings last."""
