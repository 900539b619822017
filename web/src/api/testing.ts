import { vi } from 'vitest';
import type { Session, User } from './types';

export const userOf = (part: Partial<User> = {}): User => ({
  id: 1,
  userNm: 'prad.demo',
  userFirstName: 'Paula',
  userLastName: 'Reyes',
  userMidName: '',
  emailAddr: 'paula@example.com',
  phoneNum: '2125550100',
  typeCd: 'PRAD',
  typeDesc: 'Provider Admin',
  statusCd: 'ACTIV',
  statusDesc: 'Active',
  grpInfoId: 7,
  appVersion: '2.3.35',
  jobTitle: '',
  companyNm: '',
  companyUrl: '',
  affiliationCd: '',
  affiliationDesc: '',
  feeSchedRqstsCnt: 0,
  feeSchedRqsts: [],
  ...part,
});

export const sessionOf = (part: Partial<Session> = {}): Session => ({
  username: 'prad.demo',
  token: 'token-1',
  user: userOf(),
  routes: ['home'],
  menu: [],
  permissions: [],
  idleMinutes: 30,
  ...part,
});

export interface Answer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}
export type Reply = Answer | ((body: unknown) => Answer | Promise<Answer>);

export interface Call {
  call: string;
  body: unknown;
}

/** Stands for the server: answers each call by name, and writes down what was sent. */
export function serve(replies: Record<string, Reply>): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const call = `${request.method} ${new URL(request.url).pathname.replace(/^\/api/, '')}`;
    const sent = await request.text();
    const body = sent ? JSON.parse(sent) : null;
    calls.push({ call, body });
    const reply = replies[call];
    const answer: Answer = (typeof reply === 'function' ? await reply(body) : reply) ?? { status: 404 };
    const { status = 200, headers } = answer;
    return Response.json(answer.body ?? {}, { status, headers });
  });
  return calls;
}
