import { useState } from 'react';
import { addRetryTime, isRateLimited, toProblem } from '@/shared/apiError';
import { nameNetwork } from '@/shared/nameNetwork';
import { retrievalError } from '@/ui/PageState';
import { type OpenedWindow, openWindow } from '@/ui/window';
import { type Bill, formatReference, useDeskDocument, useDocumentRequests } from './calls';

const imageNotAvailable = 'Error: The image selected is not available.';
const imageNotDisplayed =
  "The image cannot be displayed. Contact the network's Provider Service for assistance.";

// The payer's page opens after this many milliseconds. Until then the window explains why.
const payerPageDelay = 3_000;

export type DocumentKind = 'image' | 'eor' | 'pricing-sheet';

/** The dialog after a document request. */
export type DocumentResult =
  | { kind: 'message'; text: string }
  /** The dialog with VIEW IMAGE, after a blocked window or a failed image. */
  | { kind: 'view-image'; text?: string; url?: string; bill: Bill; document: DocumentKind }
  | { kind: 'download'; url: string; fileName: string };

/**
 * Opens a bill's documents. Each click opens its window immediately, which navigates when the
 * response arrives. Staff open those of a bill page at the service desk.
 */
export function useDocuments(deskPage?: string) {
  const calls = useDocumentRequests();
  const openAtDesk = useDeskDocument();
  const [result, setResult] = useState<DocumentResult | null>(null);

  async function open(bill: Bill, document: DocumentKind) {
    setResult(null);
    // A pricing sheet from reference lines downloads without a window. Without lines, the network
    // has the paper.
    if (!deskPage && document === 'pricing-sheet' && bill.billingId) return downloadSheet(bill);

    const target = openWindow();
    const show = (url: string) => {
      if (target.blocked) setResult({ kind: 'view-image', url, bill, document });
      else target.navigate(url);
    };
    const finish = (outcome: DocumentResult) => {
      target.close();
      setResult(outcome);
    };
    // A missing image shows the blocked-window dialog. A missing EOR doesn't, because it isn't
    // an image.
    const showMissing = (error: unknown) =>
      finish(
        isRateLimited(error)
          ? { kind: 'message', text: `Error: ${toProblem(error).message}` }
          : document === 'image'
            ? { kind: 'view-image', text: imageNotAvailable, bill, document }
            : { kind: 'message', text: imageNotAvailable },
      );

    const showFile = (file: Blob) => show(URL.createObjectURL(new Blob([file], { type: 'application/pdf' })));

    if (deskPage)
      await openAtDesk({ id: deskPage, kind: document }).then(showFile, (error) =>
        finish({
          kind: 'message',
          text: toProblem(error).status === 404 ? imageNotAvailable : `Error: ${toProblem(error).message}`,
        }),
      );
    else if (bill.mitchBill)
      await calls.secondSystemUrl({ bill, isEor: document === 'eor' }).then(show, showMissing);
    else if (document === 'image')
      await calls
        .imageExists(bill)
        .then(
          (exists) =>
            exists
              ? show(bill.billImageUrl)
              : finish({ kind: 'message', text: nameNetwork(imageNotDisplayed) }),
          showMissing,
        );
    else if (document === 'eor')
      await calls.checkEor(bill).then(
        () => show(bill.eorImageUrl),
        (error) =>
          bill.foreignBillIdURL && !isRateLimited(error)
            ? openForeign(target, bill, show)
            : showMissing(error),
      );
    else
      await calls
        .pricingSheet(bill)
        .then(showFile, (error) =>
          finish({ kind: 'message', text: addRetryTime(retrievalError, toProblem(error)) }),
        );
  }

  function openForeign(shown: OpenedWindow, bill: Bill, show: (url: string) => void) {
    shown.showMessage("This EOR isn't available here. Opening the payer's site…");
    // Also after the user left the screen, or the window would wait forever.
    setTimeout(() => show(bill.foreignBillIdURL), payerPageDelay);
  }

  async function downloadSheet(bill: Bill) {
    try {
      const lines = await calls.pricingSheetLines(bill);
      const sheet = lines.length > 0 ? await render(lines) : await calls.pricingSheet(bill);
      const fileName = `Pricing_Sheet_${formatReference(bill).replace(/[^\w-]+/g, '_')}.pdf`;
      setResult({ kind: 'download', url: URL.createObjectURL(sheet), fileName });
    } catch (error) {
      setResult({ kind: 'message', text: addRetryTime(retrievalError, toProblem(error)) });
    }
  }

  async function render(lines: string[]) {
    const { renderPricingSheet } = await import('./pricingSheet');
    return renderPricingSheet(lines);
  }

  return { open, result, dismiss: () => setResult(null) };
}
