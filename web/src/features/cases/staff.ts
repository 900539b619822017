import type { components } from '@/api/schema';

export type StaffMember = components['schemas']['StaffMember'];
export type Role = StaffMember['role'];

/** What read-only administrators can do with questions, by staff role. */
export const roles: Record<Role, string> = {
  '': 'Reads questions',
  CASES: 'Answers questions',
  LEAD: 'Answers and supervises questions',
};

/** System administrators can do everything without a role. */
export const describeRole = ({ typeCd, role }: StaffMember) => roles[typeCd === 'ISAD' ? 'LEAD' : role];
