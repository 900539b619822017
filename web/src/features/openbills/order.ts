import type { components } from '@/api/schema';
import type { TableState } from '@/ui/table/state';

type Definition = components['schemas']['ViewDefinition'];

/** The list's order, as requested and as saved in a view. */
export type Order = NonNullable<Definition['order']>;

type Sort = NonNullable<TableState['sort']>;

const sorts: Record<Order, Sort> = {
  due: { id: 'due', desc: false },
  dueLast: { id: 'due', desc: true },
  oldest: { id: 'service', desc: false },
  newest: { id: 'service', desc: true },
  charge: { id: 'charge', desc: false },
  chargeDesc: { id: 'charge', desc: true },
  payer: { id: 'payer', desc: false },
  payerDesc: { id: 'payer', desc: true },
};

/** Each order's words in a view's description. */
export const orderTexts: Record<Order, string> = {
  due: 'most overdue first',
  dueLast: 'latest due date first',
  oldest: 'oldest service first',
  newest: 'newest service first',
  charge: 'lowest charge first',
  chargeDesc: 'highest charge first',
  payer: 'by payer',
  payerDesc: 'by payer, Z first',
};

/** Views without an order are older than the others. */
export const getOrder = ({ order = 'oldest' }: Pick<Definition, 'order'>): Order => order;

export const toSort = (order: Order): Sort => sorts[order];

export function toOrder(sort: TableState['sort']): Order {
  if (sort?.id === 'age') return sort.desc ? 'oldest' : 'newest';
  const orders = Object.entries(sorts) as [Order, Sort][];
  return orders.find(([, { id, desc }]) => id === sort?.id && desc === sort.desc)?.[0] ?? 'due';
}
