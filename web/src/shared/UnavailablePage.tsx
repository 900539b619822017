import { createLink, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Problem } from '@/api/client';
import { Banner } from '@/ui/Banner';
import { LinkButton } from '@/ui/Button';
import { Failed, Loading } from '@/ui/PageState';
import styles from './UnavailablePage.module.css';

const ButtonToRoute = createLink(LinkButton);

interface Props {
  /** The page's title. Leave it out inside a page that already has one. */
  title?: string;
  query: { error: Error | null; isPending: boolean; refetch: () => unknown };
  /** Where users can search for it instead, and the link there. */
  to: LinkProps['to'];
  children: ReactNode;
}

/**
 * Replaces a page with a sealed ID until it's loaded: while loading, on an error, or if the link
 * has expired.
 */
export function UnavailablePage({ title, query: { error, isPending, refetch }, to, children }: Props) {
  // At the service desk a reason is missing, or too many pages were opened.
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
