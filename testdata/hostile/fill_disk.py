# tries: fill the disk with many files
import os
block = b"x" * (8 << 20)
n = 0
while True:
    with open(os.path.join(os.environ["TMPDIR"], f"fill{n}"), "wb") as f:
        for _ in range(8):
            f.write(block)
    n += 1
