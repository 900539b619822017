import { useNavigate, useRouter } from '@tanstack/react-router';
import { useSession } from '@/api/session';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { rememberAgreement } from './agreement';
import styles from './clients.module.css';
import { useAgree } from './queries';
import { generalError } from './texts';

/** Asks users to accept the terms of the Client List. Declining goes back. */
export function Agreement({ onAgreed }: { onAgreed: () => void }) {
  const { user, mirroredUser } = useSession();
  const { mutateAsync: agree, isPending, isError } = useAgree();
  const { history } = useRouter();
  const navigate = useNavigate();

  async function accept() {
    try {
      // Users can't accept for the person they mirror.
      if (!mirroredUser) await agree();
    } catch {
      return; // the dialog shows the error
    }
    rememberAgreement(user.id);
    onAgreed();
  }

  return (
    <Dialog
      open
      title="Client List"
      actions={
        <>
          <Button
            disabled={isPending}
            onClick={() =>
              history.canGoBack() ? history.back() : void navigate({ to: paths.home, replace: true })
            }
          >
            DECLINE
          </Button>
          <Button variant="primary" busy={isPending} onClick={() => void accept()}>
            ACCEPT AND CONTINUE
          </Button>
        </>
      }
    >
      <div className={styles.apart}>
        <p>
          {
            "This tool tells you which clients consider you to be part of their network. Clients may exclude providers. Workers' compensation and auto payers do not issue ID cards."
          }
        </p>
        {isError && <Banner kind="error">{generalError}</Banner>}
      </div>
    </Dialog>
  );
}
