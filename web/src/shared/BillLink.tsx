import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';

/** The page belongs to the service desk, so its links open there. */
export const AtDesk = createContext(false);

export const BillLink = ({ page, children }: { page: string; children: ReactNode }) => (
  <Link to={useContext(AtDesk) ? '/desk/bill/$id' : '/work/bill/$id'} params={{ id: page }}>
    {children}
  </Link>
);

export const RemittanceLink = ({ page, children }: { page: string; children: ReactNode }) => (
  <Link to={useContext(AtDesk) ? '/desk/remittance/$id' : '/work/remittance/$id'} params={{ id: page }}>
    {children}
  </Link>
);
