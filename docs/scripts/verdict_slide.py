"""A verdict as a slide

What a statement says, whether it holds, by which evidence, and how tight it is.

Picture: the heading OLR.T17, the words holds (certified) in green, the theorem in a sentence, and a bar that is filled
to about a ninth of its length: the largest left side over right side that was found.
"""

import theorems
from figures import plot

record = theorems.verdict("OLR.T17")
print(record["verdict"], record["evidence"], f"tightness {record['tightness']['ratio']:.3f}")
plot.verdict("OLR.T17").savefig("verdict.png", dpi=110)
