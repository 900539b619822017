import { MantineContext } from '@mantine/core';
import { use, useState } from 'react';
import { Accordion } from '../Accordion';
import { Banner } from '../Banner';
import { Button, LinkButton } from '../Button';
import { ConfirmDialog, Dialog } from '../Dialog';
import { KitProvider } from '../KitProvider';
import { Layer } from '../Layer';
import { Empty, Failed, Loading, NotPermitted, Stale } from '../PageState';
import { toast } from '../Toasts';
import { setTheme } from '../theme';
import { openWindow } from '../window';
import { Fields } from './Fields';
import styles from './KitPage.module.css';
import { Tables } from './Tables';

/* Every component of the kit in each state, to view and to test. Development builds only. */

export default function KitPage() {
  // Signed-out pages don't have a provider or a layer.
  return use(MantineContext) ? (
    <Parts />
  ) : (
    <KitProvider>
      <Parts />
      <Layer />
    </KitProvider>
  );
}

function Parts() {
  return (
    <div className="page">
      <title>Kit</title>
      <div>
        <h1>Kit</h1>
        <p className="page-lead">Every part in each of its states.</p>
      </div>
      <Buttons />
      <Messages />
      <Fields />
      <Sections />
      <Tables />
      <States />
    </div>
  );
}

function Buttons() {
  const [dialog, setDialog] = useState<'confirm' | 'plain' | null>(null);
  const [blocked, setBlocked] = useState<boolean | null>(null);
  const close = () => setDialog(null);
  return (
    <section className="card card-body">
      <h2 className={styles.heading}>Buttons, dialogs, windows</h2>
      <div className="button-row">
        <Button variant="primary" onClick={() => setDialog('confirm')}>
          Open confirmation
        </Button>
        <Button onClick={() => setDialog('plain')}>Open dialog</Button>
        <Button variant="quiet" onClick={() => toast.error('Something failed.')}>
          Show error toast
        </Button>
        <LinkButton href="#buttons">Link as button</LinkButton>
        <Button variant="primary" busy>
          Busy
        </Button>
        <Button variant="primary" disabled>
          Disabled
        </Button>
        <Button disabled>Disabled</Button>
        <Button
          onClick={() => {
            const opened = openWindow();
            setBlocked(opened.blocked);
            setTimeout(opened.close, 500);
          }}
        >
          Open window
        </Button>
        {blocked !== null && <output>{blocked ? 'Blocked' : 'Opened'}</output>}
        <Button size="small" onClick={() => setTheme('light')}>
          Light
        </Button>
        <Button size="small" onClick={() => setTheme('dark')}>
          Dark
        </Button>
        <Button size="small" onClick={() => setTheme('auto')}>
          System
        </Button>
      </div>
      <ConfirmDialog
        open={dialog === 'confirm'}
        title="Are you sure?"
        confirmLabel="YES"
        cancelLabel="CANCEL"
        onConfirm={() => {
          close();
          toast.success('Confirmed.');
        }}
        onCancel={close}
      >
        What is confirmed here is shown as a message.
      </ConfirmDialog>
      <Dialog
        open={dialog === 'plain'}
        title="A dialog"
        size="medium"
        onClose={close}
        actions={
          <Button variant="primary" onClick={close}>
            OK
          </Button>
        }
      >
        <p>Escape, the cross and a click outside close it.</p>
      </Dialog>
    </section>
  );
}

function Messages() {
  return (
    <section className="card card-body">
      <h2 className={styles.heading}>Banners</h2>
      <div className={styles.stack}>
        <Banner
          kind="error"
          title="The whole failed."
          problems={[{ text: 'This part of it' }, { text: 'And that' }]}
        />
        <Banner kind="warning">Something to look at.</Banner>
        <Banner kind="success">It is saved.</Banner>
        <Banner kind="info" title="For your information">
          Amounts are recommendations.
        </Banner>
      </div>
    </section>
  );
}

function Sections() {
  const [open, setOpen] = useState<'first' | 'second' | null>('first');
  return (
    <Accordion
      open={open}
      onOpen={setOpen}
      sections={[
        {
          name: 'first',
          title: 'First section',
          hint: 'With a hint',
          content: <p>What the first one holds.</p>,
        },
        { name: 'second', title: 'Second section', content: <p>What the second one holds.</p> },
      ]}
    />
  );
}

function States() {
  return (
    <section className="card card-body">
      <h2 className={styles.heading}>Page states</h2>
      <div className={styles.stack}>
        <Loading />
        <Empty title="Nothing here">There is nothing to show yet.</Empty>
        <Failed message="Error: There was an error." onRetry={() => toast.success('Retrying.')} />
        <NotPermitted />
        <Stale onRetry={() => toast.success('Refreshed.')} />
      </div>
    </section>
  );
}
