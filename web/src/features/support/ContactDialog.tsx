import { getConfig } from '@/api/config';
import { getPhoneLink } from '@/shared/SupportLine';
import { Dialog } from '@/ui/Dialog';
import styles from './ContactDialog.module.css';

const hours = 'Monday to Friday, 8am to 8pm Eastern';

export function ContactDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { supportPhone, supportEmail } = getConfig();
  return (
    <Dialog open={open} title="Contact Us" onClose={onClose}>
      <p>For Provider Portal support</p>
      <dl className={styles.ways}>
        {supportPhone && (
          <div>
            <dt>Call</dt>
            <dd>
              <a href={getPhoneLink(supportPhone)}>{supportPhone}</a>
              <p className={styles.hours}>{hours}</p>
            </dd>
          </div>
        )}
        {supportEmail && (
          <div>
            <dt>Email</dt>
            <dd>
              <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
            </dd>
          </div>
        )}
      </dl>
    </Dialog>
  );
}
