/** Reads what govulncheck printed: {found}, {unreachable} or {failed}. */
export function readGovulncheck(status, stdout, stderr) {
  if (status === 0) return {};
  if (status === 3) return { found: stdout.trim() }; // vulnerabilities that the program reaches
  const fetching = stderr.match(/fetching vulnerabilities: .*/);
  return fetching ? { unreachable: fetching[0] } : { failed: (stderr || stdout).trim() };
}

/** Reads what npm audit --json printed: {found}, {unreachable} or {failed}. */
export function readNpmAudit(status, stdout, stderr) {
  let report;
  try {
    report = JSON.parse(stdout);
  } catch {
    return { failed: (stderr || stdout).trim() };
  }
  if (!report.vulnerabilities) {
    const { message, error } = report; // only errors of the registry have a message of their own
    return message ? { unreachable: message } : { failed: error?.summary || stderr.trim() };
  }
  const found = Object.values(report.vulnerabilities).map(({ name, severity, range, via }) => {
    const titles = via.filter((v) => v.title).map((v) => `${v.title} (${v.url})`);
    return `${name} ${range}, ${severity}: ${titles.join(', ') || `through ${via.join(', ')}`}`;
  });
  return found.length > 0 || status === 0 ? { found: found.join('\n') } : { failed: stderr.trim() };
}
