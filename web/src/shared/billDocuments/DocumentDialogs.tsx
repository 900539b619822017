import { useEffect, useRef } from 'react';
import { Button, LinkButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import type { Bill } from './calls';
import type { DocumentKind, DocumentResult } from './useDocuments';

const downloadAfter = 500;
const revokeDelay = 60_000;

interface Props {
  result: DocumentResult | null;
  onClose: () => void;
  onOpen: (bill: Bill, document: DocumentKind) => void;
}

/** Messages after a document request. */
export default function DocumentDialogs({ result, onClose, onOpen }: Props) {
  const close = <Button onClick={onClose}>CLOSE</Button>;
  switch (result?.kind) {
    case 'message':
      return (
        <Dialog
          open
          title="Bill Document"
          onClose={onClose}
          actions={
            <Button variant="primary" onClick={onClose}>
              OK
            </Button>
          }
        >
          <p role="alert">{result.text}</p>
        </Dialog>
      );
    case 'view-image':
      return (
        <Dialog
          open
          title="Bill Document"
          onClose={onClose}
          actions={
            <>
              {close}
              {result.url ? (
                <LinkButton
                  variant="primary"
                  href={result.url}
                  target="_blank"
                  rel="noopener noreferrer"
                  onClick={onClose}
                >
                  VIEW IMAGE
                </LinkButton>
              ) : (
                <Button variant="primary" onClick={() => onOpen(result.bill, result.document)}>
                  VIEW IMAGE
                </Button>
              )}
            </>
          }
        >
          {result.text && <p role="alert">{result.text}</p>}
          <p>Please add this site to allow popups or click VIEW IMAGE.</p>
        </Dialog>
      );
    case 'download':
      return <Download key={result.url} url={result.url} fileName={result.fileName} onClose={onClose} />;
    default:
      return null;
  }
}

/** A file that downloads itself. The link stays in case the browser blocked the download. */
function Download({ url, fileName, onClose }: { url: string; fileName: string; onClose: () => void }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => link.current?.click(), downloadAfter);
    return () => clearTimeout(timer);
  }, []);
  const close = () => {
    // A running download needs the address.
    setTimeout(() => URL.revokeObjectURL(url), revokeDelay);
    onClose();
  };
  return (
    <Dialog
      open
      title="Pricing Sheet"
      onClose={close}
      actions={
        <>
          <Button onClick={close}>CLOSE</Button>
          <LinkButton ref={link} variant="primary" href={url} download={fileName}>
            Download
          </LinkButton>
        </>
      }
    >
      <p>Downloading the pricing sheet as {fileName}.</p>
    </Dialog>
  );
}
