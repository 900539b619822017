import { Button } from '@/ui/Button';
import { toast } from '@/ui/Toasts';

/** Copies a text. `what` names it for screen readers. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast.success(`Copied ${text.length > 60 ? `the ${what}` : text}`);
    } catch {
      toast.error(`Couldn't copy the ${what}. Select it and copy it.`);
    }
  };
  return (
    <Button variant="quiet" size="small" onClick={() => void copy()}>
      Copy<span className="visually-hidden"> {what}</span>
    </Button>
  );
}
