import type { components } from '@/api/schema';

export type SupportReason = components['schemas']['LookReason']['reason'];

/** Why staff look at an office's data. */
export const supportReasons: { value: SupportReason; label: string }[] = [
  { value: 'CALL', label: 'Call' },
  { value: 'CASE', label: 'Case' },
  { value: 'FEED', label: 'Import check' },
  { value: 'COMPLAINT', label: 'Complaint' },
  { value: 'OTHER', label: 'Other' },
];

/** The name of a reason within a sentence, as the audit log shows it. */
export const formatSupportReason = (reason: SupportReason) =>
  supportReasons.find(({ value }) => value === reason)?.label.toLowerCase() ?? '';
