import { useNavigate } from '@tanstack/react-router';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { AccountCard } from './AccountCard';
import { DemoMail } from './DemoMail';

const received =
  'Thank you for your request. Your application has been successfully received and is currently under review by our support team.';

export function RegistrationCompleteScreen() {
  const navigate = useNavigate();
  return (
    <AccountCard title="Registration">
      <Banner kind="success">{received}</Banner>
      <div className="button-row">
        <Button variant="primary" onClick={() => void navigate({ to: paths.login })}>
          Done
        </Button>
      </div>
      <DemoMail />
    </AccountCard>
  );
}
