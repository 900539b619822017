import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';
import { useLinkState } from './listPosition';
import * as paths from './paths';

/** The page belongs to the service desk, so its links open there. */
export const AtDesk = createContext(false);

interface Props {
  page: string;
  children: ReactNode;
}

export const BillLink = ({ page, children }: Props) => (
  <Link {...(useContext(AtDesk) ? paths.toDeskBill(page) : paths.toBill(page))} state={useLinkState(page)}>
    {children}
  </Link>
);

export const RemittanceLink = ({ page, children }: Props) => (
  <Link
    {...(useContext(AtDesk) ? paths.toDeskRemittance(page) : paths.toRemittance(page))}
    state={useLinkState(page)}
  >
    {children}
  </Link>
);
