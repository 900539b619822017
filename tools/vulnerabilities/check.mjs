// node tools/vulnerabilities/check.mjs
//
// Fails if the program or a package of npm has a known vulnerability. Without an answer from the
// vulnerability database or the registry, it prints "not checked" and doesn't fail.
import { spawnSync } from 'node:child_process';
import { readGovulncheck, readNpmAudit } from './results.mjs';

function run(read, command, args, cwd = '.') {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  return error ? { failed: error.message } : read(status, stdout, stderr);
}

const results = { Go: run(readGovulncheck, 'go', ['tool', '-modfile=tools/go/go.mod', 'govulncheck', './...']) };
for (const dir of ['web', 'e2e', 'tools/openapi']) {
  results[dir] = run(readNpmAudit, 'npm', ['audit', '--json', '--package-lock-only'], dir);
}
for (const [name, { unreachable, failed, found }] of Object.entries(results)) {
  if (unreachable) console.log(`${name}: not checked: ${unreachable}`);
  else if (failed) console.log(`${name}: couldn't check: ${failed}`);
  else console.log(found || `${name}: no known vulnerabilities`);
}
if (Object.values(results).some(({ failed, found }) => failed || found)) process.exit(1);
