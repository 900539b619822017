import { useMemo, useState } from 'react';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { formatDate } from '@/ui/dates';
import { formatPhone, formatTin } from '@/ui/format';
import { retrievalError } from '@/ui/PageState';
import type { Column } from '@/ui/table/state';
import type { Visit } from './choice';
import {
  GeneralInformation,
  Licenses,
  Offers,
  OfficeName,
  Part,
  ProviderPage,
  ViewDetails,
  yesOrNo,
} from './parts';
import { type PhysicianLocation, type Specialty, usePhysician } from './queries';

export function PhysicianPage({ choice, searchInfo }: Visit) {
  const { record, specialties, locations, licenses } = usePhysician(choice.prvId);
  const [viewed, setViewed] = useState<PhysicianLocation | null>(null);
  const locationColumns = useMemo(() => getLocationColumns(setViewed), []);
  const physician = record.data;
  return (
    <ProviderPage
      title={
        physician
          ? `Physician - ${physician.phyLastName}, ${physician.phyFirstName} ${physician.phyMiddleInitial}`.trim()
          : 'Physician'
      }
      searchInfo={searchInfo}
      record={record}
      loading="Loading Physician..."
      failure="Error loading Physician data."
    >
      {physician && (
        <GeneralInformation
          facts={[
            ['First Name', physician.phyFirstName],
            ['Middle Name', physician.phyMiddleName],
            ['Last Name', physician.phyLastName],
            ['Degrees', physician.degreeStr],
            ['Date of Birth', formatDate(physician.phyDateOfBirth)],
            ['Gender', physician.phyGender],
            ['Languages', physician.languageStr],
            ['TIN', formatTin(choice.tin)],
            ['NPI', physician.prvNpi],
            ['LOB', physician.lobString, 'line of business'],
          ]}
        />
      )}
      <Part
        title="Specialties"
        part={specialties}
        failure={() => retrievalError}
        columns={specialtyColumns}
        rowId={({ specDesc }) => specDesc}
        sortBy="rank"
      />
      <Part
        title="Locations"
        part={locations}
        failure={({ message }) => `Error GETTING THE PROVIDER Physician location ${message}`}
        columns={locationColumns}
        rowId={({ poflOfcId }) => poflOfcId}
        sortBy="name"
      />
      <Licenses part={licenses} />
      {viewed && (
        <Dialog
          open
          title={`Location Focus for ${viewed.phoOfficeName}`}
          size="medium"
          onClose={() => setViewed(null)}
          actions={
            <Button variant="primary" onClick={() => setViewed(null)}>
              CLOSE
            </Button>
          }
        >
          <Offers
            title="Services"
            titleHidden
            names={viewed.details.map(({ fsrShortDesc }) => fsrShortDesc)}
          />
        </Dialog>
      )}
    </ProviderPage>
  );
}

const specialtyColumns: Column<Specialty>[] = [
  { id: 'description', header: 'Specialty Description', value: ({ specDesc }) => specDesc, wrap: true },
  { id: 'rank', header: 'Rank', value: ({ srrRank }) => srrRank },
];

const getLocationColumns = (view: (location: PhysicianLocation) => void): Column<PhysicianLocation>[] => [
  {
    id: 'name',
    header: 'Office Name',
    value: ({ phoOfficeName }) => phoOfficeName,
    cell: ({ phoOfficeName, poflPrimaryOfficeFlag }) => (
      <OfficeName name={phoOfficeName} primary={poflPrimaryOfficeFlag} />
    ),
    wrap: true,
    minWidth: '11rem',
  },
  { id: 'address', header: 'Address', value: ({ address }) => address, wrap: true, minWidth: '11rem' },
  { id: 'phone', header: 'Phone', value: ({ ofcDirectoryPhoneNbr }) => formatPhone(ofcDirectoryPhoneNbr) },
  { id: 'fax', header: 'Fax', value: ({ ofcFaxNbr }) => formatPhone(ofcFaxNbr) },
  { id: 'email', header: 'Email', value: ({ ofcEmailAddress }) => ofcEmailAddress },
  { id: 'tin', header: 'Tax ID', value: ({ ptcTaxId }) => formatTin(ptcTaxId) },
  {
    id: 'accepts',
    header: 'Accepts WC Patients',
    value: ({ poflAcceptWcPatientsFlag }) => yesOrNo(poflAcceptWcPatientsFlag),
  },
  {
    id: 'details',
    header: 'Details',
    sortable: false,
    filterable: false,
    value: ({ details }) => details.length,
    cell: (location) =>
      location.details.length > 0 && (
        <ViewDetails of={location.phoOfficeName} onClick={() => view(location)} />
      ),
  },
];
