import { z } from 'zod/mini';
import type { components } from '@/api/schema';
import { formatDate, getCurrentTime, getZoneName, parseDate, today } from '@/ui/dates';
import { boundedText } from '@/ui/form/boundedText';
import { line } from '@/ui/form/kinds';
import { pluralize } from '@/ui/pluralize';

/* A notification, its input and its derived values. */

type Announced = components['schemas']['AnnouncementRow'];

/**
 * A notification, with its audience and number of recipients if it goes to everyone who matches.
 */
export type Notification = components['schemas']['NotificationRow'] & { announced?: Announced };

export const genericError = 'Error: An error has occurred. Please try again or contact Customer Service.';
export const nameMissing = 'Error: Enter Notification name';
export const defaultName = 'Provider Portal Notification';

/** The kinds of the fields. */
export const kinds = { name: line(64), campaign: line(64), requestedBy: line(22), link: line(2000) };

/** Notifications are sent in the morning. */
const sendTime = '08:00';

/** Reports whether a notification with this send date is sent immediately. */
export const isDue = (date: string) => date < today() || (date === today() && getCurrentTime() >= sendTime);

/** Describes when a notification is sent if saved now, for use in a sentence. */
export const describeSendTime = (date: string) =>
  isDue(date)
    ? `right away, because 8:00 am ${getZoneName()} on its send date has passed`
    : `on ${formatDate(date)} at 8:00 am ${getZoneName()}`;

const moments = 60_000;

/** Reports whether it was just saved and is due, so that it's sent shortly. */
export function isBeingSent({
  status,
  sendDt,
  lastUpdate,
}: Pick<Notification, 'status' | 'sendDt' | 'lastUpdate'>): boolean {
  return (
    status === 'SCHEDULED' &&
    sendDt !== null &&
    isDue(sendDt) &&
    Date.now() - Date.parse(lastUpdate) < moments
  );
}

/** A missing name is marked, but doesn't prevent saving. */
export const notificationSchema = z.object({
  name: boundedText(kinds.name),
  campaign: boundedText(kinds.campaign),
  requestedBy: boundedText(kinds.requestedBy),
  link: boundedText(kinds.link).check(
    z.refine((link) => link === '' || isLink(link), {
      error: 'Error: Enter a Notification Link that starts with http:// or https://',
    }),
  ),
  sendDt: z.string().check(
    z.trim(),
    z.refine((typed) => typed === '' || (parseDate(typed) ?? '') >= today(), {
      error: 'Error: Enter a valid Notification Send Date',
    }),
  ),
});

export type Values = z.infer<typeof notificationSchema>;

function isLink(address: string): boolean {
  try {
    const { protocol, username } = new URL(address);
    return /^https?:\/\//i.test(address) && /^https?:$/.test(protocol) && username === '';
  } catch {
    return false;
  }
}

export const noValues: Values = { name: '', campaign: '', requestedBy: '', link: '', sendDt: '' };

export const toValues = ({ name, campaign, requestedBy, link, sendDt }: Notification): Values => ({
  name,
  campaign,
  requestedBy,
  link,
  sendDt: formatDate(sendDt),
});

export const getRecipientIds = ({ userNotList }: Notification): number[] =>
  userNotList === '' ? [] : userNotList.split(',').map(Number);

export const formatRecipientCount = (count: number) => pluralize(count, 'recipient');

/** Lists the missing fields that make a notification a draft, by their labels. */
export function listMissing({ name, campaign, link }: Values, addressed: boolean): string[] {
  const needed: [string, boolean][] = [
    ['Notification Name', name.trim() !== ''],
    ['Campaign', campaign.trim() !== ''],
    ['Notification Link', link.trim() !== ''],
    ['recipients', addressed],
  ];
  return needed.filter(([, given]) => !given).map(([label]) => label);
}

/** Returns the status after saving. */
export function getStatus(values: Values, addressed: boolean): Notification['status'] {
  if (listMissing(values, addressed).length > 0) return 'DRAFT';
  return values.sendDt.trim() === '' ? 'READY' : 'SCHEDULED';
}
