import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';
import * as paths from './paths';

/** The page belongs to the service desk, so its links open there. */
export const AtDesk = createContext(false);

export const BillLink = ({ page, children }: { page: string; children: ReactNode }) => (
  <Link {...(useContext(AtDesk) ? paths.toDeskBill(page) : paths.toBill(page))}>{children}</Link>
);

export const RemittanceLink = ({ page, children }: { page: string; children: ReactNode }) => (
  <Link {...(useContext(AtDesk) ? paths.toDeskRemittance(page) : paths.toRemittance(page))}>{children}</Link>
);
