/** An interchange with one set. Every segment ends with a tilde. */
export function x12(group: string, version: string, segments: string): string {
  const lines = segments.trim().split('\n');
  return [
    `ISA*00*          *00*          *ZZ*${'HARBORLINE'.padEnd(15)}*ZZ*${'PORTAL'.padEnd(15)}*260110*0900*^*00501*000000001*0*P*:`,
    `GS*${group}*HARBORLINE*PORTAL*20260110*0900*1*X*${version}`,
    ...lines,
    `SE*${lines.length + 1}*0001`,
    'GE*1*1',
    'IEA*1*000000001',
  ]
    .map((segment) => `${segment}~`)
    .join('\n');
}

/** A remittance for claims of 300 dollars each, which pays 250. */
export function remittance(check: string, payee: string, accounts: string[], trace = ''): string {
  const claims = accounts.map(
    (account) => `CLP*${account}*1*300*250**WC*ICN${account}*11*1
NM1*QC*1*QUARLES*DOT
DTM*232*20260820
SVC*HC:73721*300*250**1
DTM*472*20260820
CAS*CO*45*50`,
  );
  return x12(
    'HP',
    '005010X221A1',
    `ST*835*0001*005010X221A1
BPR*I*${250 * accounts.length}*C*ACH************20260910
TRN*1*${check}${trace && `*${trace}`}
DTM*405*20260910
N1*PR*HARBOR MUTUAL
N3*1 PIER
N4*BOSTON*MA*02110
N1*PE*LAKESIDE ORTHOPEDIC*${payee}
LX*1
${claims.join('\n')}`,
  );
}
