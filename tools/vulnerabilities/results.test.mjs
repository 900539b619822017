import assert from 'node:assert/strict';
import test from 'node:test';
import { readGovulncheck, readNpmAudit } from './results.mjs';

test('reads the result of govulncheck', () => {
  const offline = 'govulncheck: fetching vulnerabilities: Get "https://vuln.go.dev/": no such host';
  assert.deepEqual(readGovulncheck(0, 'No vulnerabilities found.\n', ''), {});
  assert.deepEqual(readGovulncheck(3, 'Vulnerability #1: GO-2026-1\n', ''), { found: 'Vulnerability #1: GO-2026-1' });
  assert.deepEqual(readGovulncheck(1, '', `${offline}\n`), { unreachable: offline.replace('govulncheck: ', '') });
  assert.deepEqual(readGovulncheck(1, '', 'govulncheck: loading packages: there are errors\n'), {
    failed: 'govulncheck: loading packages: there are errors',
  });
});

test('reads the result of npm audit', () => {
  const advisory = { title: 'Runs code', url: 'https://example.com/1' };
  const vulnerabilities = {
    a: { name: 'a', severity: 'high', range: '<2', via: [advisory] },
    b: { name: 'b', severity: 'high', range: '*', via: ['a'] },
  };
  assert.deepEqual(readNpmAudit(0, '{"vulnerabilities":{}}', ''), { found: '' });
  assert.deepEqual(readNpmAudit(1, JSON.stringify({ vulnerabilities }), ''), {
    found: 'a <2, high: Runs code (https://example.com/1)\nb *, high: through a',
  });
  assert.deepEqual(readNpmAudit(1, '{"message":"405 Method Not Allowed","error":{"summary":""}}', ''), {
    unreachable: '405 Method Not Allowed',
  });
  assert.deepEqual(readNpmAudit(1, '{"error":{"code":"ENOLOCK","summary":"This command requires an existing lockfile."}}', ''), {
    failed: 'This command requires an existing lockfile.',
  });
  assert.deepEqual(readNpmAudit(1, '', 'npm error no lock file\n'), { failed: 'npm error no lock file' });
});
