// tries: take all memory
const all = [];
for (;;) all.push(Buffer.alloc(64 << 20, 1));
