import { makeValue } from '@/api/testing';
import type { Bill } from './queries';

export const makeBill = (part: Partial<Bill> = {}): Bill =>
  makeValue('BillResult', {
    ftin: '111111111',
    patientFirstName: 'Ada',
    patientLastName: 'Lovelace',
    beginServiceDate: '2026-03-02',
    endServiceDate: '2026-03-02',
    billControlNumber: 'B1',
    documentId: 'D1',
    billCharges: 200,
    recommendedAllowance: 120.5,
    claimNumber: 'WC-1',
    physicianFirstName: 'Grace',
    physicianMiddleName: 'B',
    physicianLastName: 'Hopper',
    billStatus: '0',
    billImageUrl: '/api/billSearch/billImage/img-1?id=img-1',
    ...part,
  });
