import { useState } from 'react';
import { useSession } from '@/api/session';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';

/** Says that an administrator gave the account another type while its user was signed in. */
export function AccountChanged() {
  const { user } = useSession();
  const [known, setKnown] = useState(user.typeCd);
  if (known === user.typeCd) return null;
  return (
    <Banner
      kind="warning"
      focusOn={user.typeCd}
      title={`An administrator changed your account to ${user.typeDesc}.`}
    >
      <p>Your menus and what you can do have changed.</p>
      <div className="button-row">
        <Button size="small" onClick={() => setKnown(user.typeCd)}>
          OK
        </Button>
      </div>
    </Banner>
  );
}
