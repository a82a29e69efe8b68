// tries: find a secret in its own environment
const found = Object.entries(process.env).filter(([k, v]) => v.includes("canary-secret") || /^(GITHUB_|INPUT_|ACTIONS_|RUNNER_)/.test(k));
console.log(found.length ? `ESCAPED: ${JSON.stringify(found)}` : "held: not in the environment");
