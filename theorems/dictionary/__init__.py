"""The surrogate dictionary: where each method rests on quadratics, held against the method's own code."""
