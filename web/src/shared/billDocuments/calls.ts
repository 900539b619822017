import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useMutation } from '@/shared/useMutation';

/** A bill in the responses of searches and of its page. */
export type Bill = components['schemas']['BillResult'];

/** Bill control number and document ID together, as printed on a bill. */
export const formatReference = ({ billControlNumber, documentId }: Bill) =>
  [billControlNumber, documentId].filter(Boolean).join(' / ');

/** A request without subscribers: only the caller gets its result. */
const useRequest = <In, Out>(call: (input: In) => Promise<Out>) =>
  useMutation({ mutationFn: call, gcTime: 0 }).mutateAsync;

/** The requests for a bill's documents. */
export function useDocumentRequests() {
  return {
    imageExists: useRequest((bill: Bill) =>
      unwrap(
        api.GET('/billSearch/imageExist', { params: { query: { id: getDocumentId(bill.billImageUrl) } } }),
      ),
    ),
    checkEor: useRequest((bill: Bill) =>
      unwrap(api.GET('/billSearch/precheckEor', { params: { query: { url: bill.eorImageUrl } } })),
    ),
    secondSystemUrl: useRequest(({ bill, isEor }: { bill: Bill; isEor: boolean }) =>
      unwrap(
        api.GET('/billSearch/billImage/{billControlNumber}/{isEor}/{exId}', {
          // An empty path segment is sent as a hyphen.
          params: { path: { billControlNumber: bill.billControlNumber || '-', isEor, exId: bill.exId } },
        }),
      ),
    ),
    pricingSheet: useRequest((bill: Bill) =>
      unwrap(
        api.POST('/billSearch/searchBillPriceSheet', {
          body: { billRefNumber: bill.billControlNumber },
          parseAs: 'blob',
        }) as Promise<{ data?: Blob }>,
      ),
    ),
    pricingSheetLines: useRequest(async (bill: Bill) => {
      const lines = await unwrap(
        api.POST('/billSearch/searchBillReference', { body: { billRefNumber: bill.billControlNumber } }),
      );
      return lines.map(({ line }) => line);
    }),
  };
}

/** A document that staff open from a bill's page at the service desk. */
export const useDeskDocument = () =>
  useRequest((body: components['schemas']['DeskDocument']) =>
    unwrap(api.POST('/desk/bills/document', { body, parseAs: 'blob' }) as Promise<{ data?: Blob }>),
  );

/** Extracts the server's document ID from a link. */
const getDocumentId = (link: string) => new URL(link, window.location.origin).searchParams.get('id') ?? '';
