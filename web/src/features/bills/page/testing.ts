import { makeValue } from '@/api/testing';
import { makeBill } from '../testing';
import type { Line, Page } from './queries';

export const makeLine = (part: Partial<Line> = {}): Line =>
  makeValue('PageLine', {
    number: 1,
    procedure: '99213',
    modifiers: ['25'],
    units: '1',
    beginDate: '2026-06-03',
    endDate: '2026-06-03',
    charge: 180,
    allowance: 140,
    paid: 100,
    difference: 40,
    adjustments: [{ group: 'CO', reason: '45', amount: 80 }],
    remarks: [{ list: 'HE', code: 'N130' }],
    ...part,
  });

export const makePage = (part: Partial<Page> = {}): Page =>
  makeValue('BillPage', {
    bill: makeBill({
      patientLastName: 'Brook',
      beginServiceDate: '2026-06-03',
      endServiceDate: '2026-06-04',
      billControlNumber: '7002',
      documentId: 'DB1',
      billCharges: 180,
      recommendedAllowance: 140,
      physicianMiddleName: '',
      eor: true,
      billImageUrl: '/api/billSearch/billImage/i?id=i',
      eorImageUrl: '/api/billSearch/billImage/e?id=e',
      paidAmount: 100,
      paidDate: '2026-07-11',
      checkNumber: '40000069',
      payerId: 'P9',
      payerName: 'Beacon Road Insurance',
    }),
    patientControlNumber: 'B1',
    kind: 'professional',
    jurisdiction: 'PA',
    state: { tone: 'warning', text: "Paid $40.00 less than the network's allowance" },
    answer: makeValue('PageAnswer', {
      tone: 'warning',
      text: 'Paid $100.00 on 07/11/2026 by Beacon Road Insurance, $40.00 below the network allowance.',
      nextStep: 'Compare the reason codes with the allowance.',
    }),
    difference: 40,
    lines: [makeLine()],
    journey: [
      { kind: 'service', on: '2026-06-03', at: '', text: 'Service until 06/04/2026', source: 'The bill' },
      {
        kind: 'opened',
        on: null,
        at: new Date(2026, 6, 14, 13, 2).toISOString(),
        text: 'EOR first opened here by Jane Hendricks',
        source: "The portal's log",
      },
    ],
    versions: [
      makeValue('PageVersion', {
        name: 'Original',
        sentOn: '2026-06-20',
        file: '837',
        times: 1,
        number: '7002',
        document: 'DB1',
        charge: 180,
        allowance: 140,
        inForce: true,
        why: 'The only version.',
      }),
    ],
    certificate: true,
    ...part,
  });
