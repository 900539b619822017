import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';

/** The page stands at the service desk: what it leads to is opened there. */
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
