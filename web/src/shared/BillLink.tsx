import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export const BillLink = ({ page, children }: { page: string; children: ReactNode }) => (
  <Link to="/work/bill/$id" params={{ id: page }}>
    {children}
  </Link>
);
