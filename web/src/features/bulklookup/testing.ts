import { makeValue } from '@/api/testing';
import type { Answered, Found, Job, Line } from './queries';

export const makeFound = (part: Partial<Found> = {}): Found =>
  makeValue('FoundMany', {
    id: 'page-1',
    ftin: '111111111',
    billControlNumber: '7001',
    patientFirstName: 'Ada',
    patientLastName: 'Brook',
    beginServiceDate: '2026-06-03',
    receivedOn: '2026-06-09',
    status: 'paid',
    state: "Paid $80.00 less than the network's allowance",
    tone: 'warning',
    allowance: 240,
    paid: 160,
    paidOn: '2026-07-11',
    checkNumber: '40000069',
    remittanceId: 'remittance-1',
    reasons: ['CO-45', 'N130'],
    nextStep: 'Compare the reasons with the allowance',
    ...part,
  });

export const makeLine = (part: Partial<Line> = {}): Line =>
  makeValue('LookupLine', {
    line: 2,
    answer: 'found',
    matches: 1,
    by: 'patientControlNumber',
    bills: [makeFound()],
    ...part,
  });

export const makeAnswered = (lines: Line[], counts: Partial<Answered['counts']> = {}): Answered => ({
  lines,
  asOf: '2026-08-20T13:02:00Z',
  counts: makeValue('LookupCounts', counts),
});

export const makeJob = (part: Partial<Job> = {}): Job =>
  makeValue('LookupJob', {
    id: 'JOB1',
    fileName: 'Open accounts.csv',
    status: 'done',
    done: 1200,
    rows: 1200,
    found: 1100,
    createdAt: '2026-08-20T13:02:00Z',
    doneAt: '2026-08-20T13:03:00Z',
    expiresAt: '2026-08-27T13:02:00Z',
    ...part,
  });
