import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type RouteComponent,
  RouterProvider,
} from '@tanstack/react-router';
import { render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { expect } from 'vitest';
import type { Config } from '@/api/config';
import { type Call, configure, fakeServer, neverReplies, type Replies, unreachable } from '@/api/testing';
import { retrievingText } from '@/ui/PageState';
import { moveLinkToState } from './link';

/** Each screen's single public request. */
type PublicCall =
  | 'POST /public/confirmEmail'
  | 'POST /public/confirmMailbox'
  | 'POST /public/stopMails'
  | 'POST /public/factorReset/complete'
  | 'POST /public/forgotUsername'
  | 'POST /public/registration/complete'
  | 'POST /public/registration/completeRequestAccount'
  | 'POST /public/registration/startRequestAccount'
  | 'POST /public/resetPassword/complete'
  | 'POST /public/resetPasswordByUser/start'
  | 'POST /public/signIn/confirm';

let expected: PublicCall;
let replies: Replies;
let calls: Call[];

/** Starts a screen test with this request and these public settings. No request is expected yet. */
export async function start(call: PublicCall, settings: Partial<Config> = {}) {
  await configure(settings);
  expected = call;
  replies = { 'POST /public/checkLink': { body: 'success' } };
  calls = fakeServer(replies);
}

export const accept = () => {
  replies[expected] = { body: 'success' };
};

export const respondWithError = (
  status: number,
  message: string,
  fields: { path: string; code: string; message: string }[] = [],
) => {
  replies[expected] = { status, body: { message, fields } };
};

export const neverRespond = () => {
  replies[expected] = neverReplies;
};

export const loseConnection = () => {
  replies[expected] = unreachable;
};

/** The requests so far, without the link check. */
export const sent = () => calls.filter(({ call }) => call !== 'POST /public/checkLink');

/** Makes the link unusable. */
export const expireLink = (message: 'INVALID_TOKEN' | 'EXPIRED_TOKEN') => {
  replies['POST /public/checkLink'] = { status: 400, body: { message } };
};

/** Opens a screen at an address, as an emailed link does. */
export async function openScreen(component: RouteComponent, address = '/screen') {
  const root = createRootRoute();
  const anywhere = createRoute({
    getParentRoute: () => root,
    path: '$',
    component,
    beforeLoad: moveLinkToState,
  });
  const router = createRouter({
    routeTree: root.addChildren([anywhere]),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  );
  await screen.findByRole('heading', { level: 1 });
  await waitFor(() => expect(screen.queryByText(retrievingText)).toBeNull());
  return router;
}

export const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

/** The focused message. */
export const message = async () => (await screen.findByRole('group', { name: 'Message' })).textContent;
