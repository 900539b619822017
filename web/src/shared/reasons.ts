import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';

/** The network's explanation of a code, as plain text. */
export type Reason = components['schemas']['ReasonCode'];
export type ReasonList = Reason['list'];
/** The code lists that payers use. There are no explanations for RX, the pharmacy list. */
export type CodeList = ReasonList | 'RX';

/** The lists in order, with their labels. */
export const listNames: Record<ReasonList, string> = {
  CAGC: 'Claim adjustment group codes',
  CARC: 'Claim adjustment reason codes (CARC)',
  RARC: 'Remittance remark codes (RARC)',
  PLB: 'Provider-level adjustment codes',
  CLP02: 'Claim status codes',
  HCP13: 'Repricing rejection codes',
  LOCAL: 'State and payer codes',
};

/** All explanations. */
export interface Reasons {
  /** By list and code. */
  all: readonly Reason[];
  /** The jurisdiction's own text if there is one. Undefined for a code without an explanation. */
  find: (list: CodeList, code: string, jurisdiction?: string) => Reason | undefined;
}

export const reasonsKey = ['reasons'];

const day = 24 * 60 * 60_000;

/** Loaded once per visit. Undefined until then, or without a Workspace. */
export function useReasons() {
  const { can } = useSession();
  return useQuery({
    queryKey: reasonsKey,
    queryFn: async ({ signal }) => indexReasons(await unwrap(api.GET('/codes', { signal }))),
    structuralSharing: false,
    staleTime: day,
    gcTime: day,
    enabled: can('codes.read'),
  });
}

function indexReasons(all: readonly Reason[]): Reasons {
  const byCode = new Map(
    all.map((reason) => [`${reason.list} ${reason.code} ${reason.jurisdiction}`, reason]),
  );
  return {
    all,
    find: (list, code, jurisdiction = '') =>
      byCode.get(`${list} ${code} ${jurisdiction}`) ?? byCode.get(`${list} ${code} `),
  };
}

/** The code's explanation: the network's own, or else the official text. */
export const getExplanation = ({ title, official }: Reason) => title || official;
