import { useEffect, useRef } from 'react';
import { Button, LinkButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import type { Bill } from './queries';
import type { DocumentKind, Told } from './useDocuments';

const downloadAfter = 500;
const keptAfter = 60_000;

interface Props {
  told: Told | null;
  onClose: () => void;
  onOpen: (bill: Bill, document: DocumentKind) => void;
}

/** What a person is told after asking for a document. */
export default function DocumentDialogs({ told, onClose, onOpen }: Props) {
  const close = <Button onClick={onClose}>CLOSE</Button>;
  switch (told?.kind) {
    case 'message':
      return (
        <Dialog
          open
          title="Bill document"
          onClose={onClose}
          actions={
            <Button variant="primary" onClick={onClose}>
              OK
            </Button>
          }
        >
          <p role="alert">{told.text}</p>
        </Dialog>
      );
    case 'view-image':
      return (
        <Dialog
          open
          title="Bill document"
          onClose={onClose}
          actions={
            <>
              {close}
              {told.url ? (
                <LinkButton
                  variant="primary"
                  href={told.url}
                  target="_blank"
                  rel="noopener noreferrer"
                  onClick={onClose}
                >
                  VIEW IMAGE
                </LinkButton>
              ) : (
                <Button variant="primary" onClick={() => onOpen(told.bill, told.document)}>
                  VIEW IMAGE
                </Button>
              )}
            </>
          }
        >
          {told.text && <p role="alert">{told.text}</p>}
          <p>Please add this site to allow popups or click VIEW IMAGE.</p>
        </Dialog>
      );
    case 'download':
      return <Download key={told.url} url={told.url} fileName={told.fileName} onClose={onClose} />;
    default:
      return null;
  }
}

/** A file that saves itself; its link stays for when the browser held the download back. */
function Download({ url, fileName, onClose }: { url: string; fileName: string; onClose: () => void }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => link.current?.click(), downloadAfter);
    return () => clearTimeout(timer);
  }, []);
  const close = () => {
    // A download that is still running needs the address.
    setTimeout(() => URL.revokeObjectURL(url), keptAfter);
    onClose();
  };
  return (
    <Dialog
      open
      title="Pricing sheet"
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
      <p>The pricing sheet is downloaded as {fileName}.</p>
    </Dialog>
  );
}
