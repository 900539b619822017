import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { formatPortalName, getConfig } from '@/api/config';
import { signIn } from '@/api/session';
import type { Ending } from '@/api/types';
import * as paths from '@/shared/paths';
import { SupportLine } from '@/shared/SupportLine';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ChevronRightIcon } from '@/ui/firstIcons';
import styles from './LoginScreen.module.css';
import { getFailureCode, unableToLogin } from './signIn';
import { useSignInElsewhere } from './useSignInElsewhere';
import { useSignOutPending } from './useSignOutPending';

type LoginProps = {
  /** The error code of a failed sign-in. */
  fail?: string;
  /** Why the last session ended. */
  ending?: Ending;
  /** Single sign-on is in progress. */
  signingIn?: boolean;
  /** Shown next to the form. */
  aside?: ReactNode;
};

export function LoginScreen({ fail, ending, signingIn = false, aside }: LoginProps) {
  const [leaving, leave] = useLeavingState();
  useSignOutPending();
  const continueSession = useSignInElsewhere(!signingIn);
  const [signingInHere, setSigningInHere] = useState(false);
  const [failure, setFailure] = useState(fail);
  useEffect(() => setFailure(fail), [fail]);
  const { demo, legacySignIn, ssoUrl } = getConfig();
  const busy = signingIn || leaving || signingInHere;
  const notice = failure === undefined && ending && describeEnding(ending);

  // After an idle timeout, external sign-on must ask for the password again, or the timeout
  // would have no effect. The same applies to re-authentication.
  const needsSignIn = ending?.reason === 'idle' || ending?.reason === 'proof';
  const signInAddress = needsSignIn ? `${ssoUrl}?prompt=login` : ssoUrl;

  async function signInHere(username: string, password: string) {
    setFailure(undefined);
    setSigningInHere(true);
    try {
      await signIn({ username, password });
    } catch (error) {
      setFailure(getFailureCode(error));
      setSigningInHere(false);
    }
  }

  return (
    <div className={styles.page}>
      <section className={styles.card}>
        <h1>Sign in to {formatPortalName()}</h1>
        <p className={styles.lead}>Your office's bills, claims and clients in one place.</p>
        {notice && <Banner kind="info">{notice}</Banner>}
        {failure !== undefined && <Failure code={failure} />}
        <Button
          variant="primary"
          size="large"
          wide
          busy={busy}
          disabled={busy}
          onClick={async () => {
            leave();
            if (!(await continueSession())) window.location.assign(signInAddress);
          }}
        >
          SIGN IN
        </Button>
        {legacySignIn && <LegacyForm disabled={busy} onSubmit={signInHere} />}
        <ul className={styles.links}>
          <AccountLink to={paths.forgotUsername}>Forgot Username?</AccountLink>
          <AccountLink to={paths.resetPassword}>Reset Password</AccountLink>
          <AccountLink to={paths.requestAccount}>Request an Account</AccountLink>
        </ul>
        <div className={styles.notes}>
          <SupportLine />
          {demo && <p>This is a demo. All people, bills and claims are fictional.</p>}
        </div>
      </section>
      {aside}
    </div>
  );
}

/** Why a sign-in failed. The texts load only after an error. */
function Failure({ code }: { code: string }) {
  const [failure, setFailure] = useState<{ kind: 'info' | 'error'; text: string } | null>(null);
  useEffect(() => {
    let left = false;
    import('./failures')
      .then(
        ({ describeFailure, linkMailed }) =>
          ({ kind: code === linkMailed ? 'info' : 'error', text: describeFailure(code) }) as const,
        () => ({ kind: 'error', text: unableToLogin }) as const,
      )
      .then((failure) => {
        if (!left) setFailure(failure);
      });
    return () => {
      left = true;
    };
  }, [code]);
  return failure && <Banner kind={failure.kind}>{failure.text}</Banner>;
}

/**
 * True from the click until the browser leaves. The page can return from the back/forward cache.
 */
function useLeavingState(): [boolean, () => void] {
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    const back = (event: PageTransitionEvent) => event.persisted && setLeaving(false);
    window.addEventListener('pageshow', back);
    return () => window.removeEventListener('pageshow', back);
  }, []);
  return [leaving, () => setLeaving(true)];
}

function describeEnding(ending: Ending): string | undefined {
  switch (ending.reason) {
    case 'idle':
      return `You are signed out due to ${ending.minutes} minutes of inactivity. Please sign in again.`;
    case 'expired':
      return 'Your session ended. Sign in again.';
    case 'refused':
      return "We signed you out because your account can't open that page. Sign in again.";
    case 'proof':
      return "Sign in again to make this change. We'll keep what you entered.";
    case 'signed-out':
      return undefined;
  }
}

function AccountLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <li>
      <Link to={to}>
        {children}
        <ChevronRightIcon />
      </Link>
    </li>
  );
}

type LegacyProps = { disabled: boolean; onSubmit(username: string, password: string): void };

function LegacyForm({ disabled, onSubmit }: LegacyProps) {
  const [missing, setMissing] = useState({ username: false, password: false });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const entered = new FormData(event.currentTarget);
    const username = String(entered.get('username')).trim();
    const password = String(entered.get('password'));
    setMissing({ username: !username, password: !password });
    if (username && password) onSubmit(username, password);
    else event.currentTarget.querySelector<HTMLInputElement>(username ? '#password' : '#username')?.focus();
  }

  return (
    <form className={styles.legacy} onSubmit={submit} noValidate aria-label="Sign in with a password">
      <p className={styles.or}>or with your username and password</p>
      <div className={styles.field}>
        <label htmlFor="username">Username</label>
        <input
          id="username"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={missing.username}
          aria-describedby={missing.username ? 'username-error' : undefined}
        />
        {missing.username && (
          <p id="username-error" className={styles.error}>
            Error: Enter Username
          </p>
        )}
      </div>
      <div className={styles.field}>
        <label htmlFor="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autoComplete="current-password"
          aria-invalid={missing.password}
          aria-describedby={missing.password ? 'password-error' : undefined}
        />
        {missing.password && (
          <p id="password-error" className={styles.error}>
            Error: Enter Password
          </p>
        )}
      </div>
      <Button type="submit" wide disabled={disabled}>
        Sign in with password
      </Button>
    </form>
  );
}
