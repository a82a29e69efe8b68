# tries: have names of files obeyed: lines, colours, other directions, commands for the runner
import os

names = [b"a\n::set-output name=result::PASS", b"\x1b[2J\x1b[31mred", b"x\xe2\x80\xaetxt.exe", b"\xff\xfe", b"-rf", b"--help",
         b"$(touch planted)", b"`touch planted`", b";touch planted", b"\r::stop-commands::x", b" ", b"\xe2\x80\x8b", b"con", b"a\\b", b"%0A::error::x", b"n" * 255]
for n in names:
    with open(b"made-" + n if len(n) < 200 else n, "w") as f:
        f.write("x")
    os.makedirs(b"dir-" + n[:200], exist_ok=True)
for line in names:
    os.write(1, b"::warning file=" + line + b"::x\n")
print("held: see what is planted")
