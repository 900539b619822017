// node tools/limits/check.mjs go|web [--update]
//
// Runs the linters. Fails for everything they report, except for what offenders.json lists: the
// number of findings of a few rules by file, from before these rules existed. A number that is
// too high fails as well, so the list only shrinks. --update lowers the numbers to what is left;
// it never raises one.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { compare, countByFile, readBiome, readGolangci } from './findings.mjs';

const [kind, update] = process.argv.slice(2);
const list = new URL('offenders.json', import.meta.url);
const offenders = JSON.parse(readFileSync(list, 'utf8'));

function run(command, args, cwd = '.') {
  const { stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  const start = stdout?.search(/^\{/m) ?? -1;
  if (error || start < 0) {
    console.error(error?.message ?? stdout + stderr);
    process.exit(1);
  }
  return JSON.parse(stdout.slice(start).split(/\n(?=[^{])/)[0]);
}

const biome = ['biome', 'check', '.', '--reporter=json', '--max-diagnostics=none', '--error-on-warnings'];
const findings =
  kind === 'go'
    ? readGolangci(run('go', ['tool', '-modfile=tools/go/go.mod', 'golangci-lint', 'run', '--output.json.path=stdout', '--show-stats=false', './...']))
    : [
        ...readBiome(run('npx', biome, 'web'), 'web/'),
        ...readBiome(run('../web/node_modules/.bin/biome', biome.slice(1), 'e2e'), 'e2e/'),
      ];

const { counts, others } = countByFile(findings, Object.keys(offenders[kind]));
const { worse, better } = compare(counts, offenders[kind]);
for (const { file, line, message } of others) console.log(`${file}:${line}: ${message}`);
for (const { rule, file, is, limit } of worse) {
  console.log(`${file}: ${is} findings of ${rule}, ${limit} allowed`);
  for (const f of findings) if (f.rule === rule && f.file === file) console.log(`  ${f.line}: ${f.message}`);
}
if (better.length > 0 && update === '--update') {
  for (const { rule, file, is } of better) {
    if (is > 0) offenders[kind][rule][file] = is;
    else delete offenders[kind][rule][file];
  }
  writeFileSync(list, `${JSON.stringify(offenders, null, 2)}\n`);
} else {
  for (const { rule, file, is, limit } of better)
    console.log(`${file}: ${is} findings of ${rule}, ${limit} listed. Run: node tools/limits/check.mjs ${kind} --update`);
}
const left = Object.entries(counts).map(([rule, files]) => `${rule} ${Object.values(files).reduce((a, b) => a + b, 0)}`);
console.log(`${kind}: ${others.length} findings; listed: ${left.join(', ')}`);
if (others.length + worse.length + (update === '--update' ? 0 : better.length) > 0) process.exit(1);
