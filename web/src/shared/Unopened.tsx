import { createLink } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Problem } from '@/api/client';
import { Banner } from '@/ui/Banner';
import { LinkButton } from '@/ui/Button';
import { Failed, Loading } from '@/ui/PageState';
import styles from './Unopened.module.css';

const ButtonToRoute = createLink(LinkButton);

interface Props {
  /** Of the page; without one it stands in a page that has one. */
  title?: string;
  query: { error: Error | null; isPending: boolean; refetch: () => unknown };
  /** Where what the link names is found otherwise, and what leads there. */
  to: '/billSearch' | '/work/remittances' | '/work/bills' | '/desk';
  children: ReactNode;
}

/** A page that a sealed link names, until it is there: it is fetched, could not be, or the link is no longer good. */
export function Unopened({ title, query: { error, isPending, refetch }, to, children }: Props) {
  // At the service desk a reason is missing, or too much was opened.
  const gone = error instanceof Problem && [400, 404, 429].includes(error.status);
  return (
    <div className={title && 'page'}>
      {title && <h1>{title}</h1>}
      {isPending && <Loading />}
      {gone && (
        <div className={styles.gone}>
          <Banner kind="error">
            <p>{error.message}</p>
          </Banner>
          <ButtonToRoute to={to} activeOptions={{ exact: true }}>
            {children}
          </ButtonToRoute>
        </div>
      )}
      {error && !gone && <Failed onRetry={() => void refetch()} />}
    </div>
  );
}
