import type { components } from '@/api/schema';

type Mails = Omit<components['schemas']['OwnMails'], 'watches' | 'questions'>;

/** The form values. */
export interface MailingValues {
  digest: string;
  days: string[];
  hour: string;
  kinds: string[];
  tins: string[];
  quietWeeks: boolean;
  watches: boolean;
  questions: boolean;
  email: string;
}

export const initialMailing: MailingValues = {
  digest: 'daily',
  days: ['1', '2', '3', '4', '5'],
  hour: '7',
  kinds: [],
  tins: [],
  quietWeeks: false,
  watches: false,
  questions: false,
  email: '',
};

export const toFields = (mails: Mails): MailingValues => ({
  ...initialMailing,
  digest: mails.digest,
  days: (mails.days ?? []).map(String),
  hour: String(mails.hour),
  kinds: mails.kinds ?? [],
  tins: mails.tins ?? [],
  quietWeeks: mails.quietWeeks ?? false,
});

export const toMails = (wanted: MailingValues): Mails => ({
  digest: wanted.digest,
  days: wanted.days.map(Number),
  hour: Number(wanted.hour),
  kinds: wanted.kinds,
  tins: wanted.tins,
  quietWeeks: wanted.quietWeeks,
});
