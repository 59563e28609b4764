//! Snapshots on disk.

use super::{Memory, Multistage, Persist, Store, Taken, Tier};
use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Snapshots in a directory on disk.
///
/// The directory is made if it is missing. All snapshots are in one file, whose name is removed as soon as it
/// is open: so the operating system frees its space when this is dropped, and also when the process
/// is killed, and a later run finds nothing of an earlier one. Several may share a directory.
#[derive(Debug)]
pub struct Disk {
    file: File,
    /// What errors name.
    path: PathBuf,
    /// Where the snapshots of the slots are.
    slots: Vec<Option<Extent>>,
    /// Parts of the file that hold nothing.
    free: Vec<Extent>,
    /// Where the file ends.
    end: u64,
    /// The directory, if it was made for this.
    made: Option<PathBuf>,
}

/// A part of the file.
#[derive(Clone, Copy, Debug)]
struct Extent {
    start: u64,
    len: u64,
}

/// Snapshots could not be written or read.
#[derive(Debug)]
pub struct DiskError {
    /// What was tried.
    attempt: &'static str,
    path: PathBuf,
    source: io::Error,
}

impl DiskError {
    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl fmt::Display for DiskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} in `{}`: {}", self.attempt, self.path.display(), self.source)
    }
}

impl Error for DiskError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
}

impl From<Infallible> for DiskError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl Disk {
    /// No snapshots, in a directory.
    ///
    /// # Errors
    /// If the directory cannot be made, or no file in it.
    pub fn new(directory: impl AsRef<Path>) -> Result<Self, DiskError> {
        let directory = directory.as_ref();
        let made = (!directory.exists()).then(|| directory.to_owned());
        let file = anonymous_file(directory).map_err(|source| {
            if made.is_some() {
                let _ = fs::remove_dir(directory);
            }
            let path = directory.to_owned();
            DiskError { attempt: "make a file for snapshots", path, source }
        })?;
        let path = directory.to_owned();
        Ok(Self { file, path, slots: Vec::new(), free: Vec::new(), end: 0, made })
    }

    /// How large the file is: as large as all snapshots that were in it at once.
    pub fn bytes(&self) -> u64 {
        self.end
    }

    fn error(&self, attempt: &'static str, source: io::Error) -> DiskError {
        DiskError { attempt, path: self.path.clone(), source }
    }

    fn write(&self, start: u64, state: &impl Persist) -> io::Result<()> {
        let mut to = BufWriter::with_capacity(BUFFER, &self.file);
        to.seek(SeekFrom::Start(start))?;
        state.write_to(&mut to)?;
        to.flush()
    }

    fn read<S: Persist>(&self, extent: Extent) -> io::Result<S> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(extent.start))?;
        S::read_from(&mut BufReader::with_capacity(BUFFER, file.take(extent.len)))
    }
}

const BUFFER: usize = 1 << 16;

/// Makes a file without a name, and the directory for it.
fn anonymous_file(directory: &Path) -> io::Result<File> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mut attempts = 0;
    loop {
        attempts += 1;
        fs::create_dir_all(directory)?;
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("backsweep-{}-{count}", std::process::id());
        let path = directory.join(name);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(windows)]
        {
            use std::os::windows::fs::OpenOptionsExt;
            const DELETE_ON_CLOSE: u32 = 0x0400_0000;
            options.custom_flags(DELETE_ON_CLOSE);
        }
        match options.open(&path) {
            Ok(file) => {
                #[cfg(not(windows))]
                fs::remove_file(&path)?;
                return Ok(file);
            }
            // A process of the same number was killed at this very place.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // Another one has just removed the directory that it had made.
            Err(error) if error.kind() == io::ErrorKind::NotFound && attempts < 100 => {}
            Err(error) => return Err(error),
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if let Some(directory) = &self.made {
            // Unless there is something else in it by now.
            let _ = fs::remove_dir(directory);
        }
    }
}

impl<S: Persist> Store<S> for Disk {
    type Error = DiskError;

    fn store(&mut self, slot: usize, state: &S) -> Result<(), DiskError> {
        const ATTEMPT: &str = "write a snapshot";
        let len = length(state).map_err(|source| self.error(ATTEMPT, source))?;
        let reused = self.free.iter().position(|extent| extent.len >= len);
        let start = reused.map_or(self.end, |at| self.free[at].start);
        self.write(start, state).map_err(|source| self.error(ATTEMPT, source))?;
        let extent = match reused {
            Some(at) => self.free.swap_remove(at),
            None => Extent { start, len },
        };
        self.end = self.end.max(extent.start + extent.len);
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, None);
        }
        self.slots[slot] = Some(extent);
        Ok(())
    }

    fn restore(&mut self, slot: usize, _spare: Option<S>) -> Result<S, DiskError> {
        let extent = self.slots[slot].expect("there is no snapshot in this slot");
        self.read(extent).map_err(|source| self.error("read a snapshot", source))
    }

    fn discard(&mut self, slot: usize) {
        self.free.extend(self.slots[slot].take());
    }

    fn taken(&self) -> Taken {
        Taken { bytes: 0, on_disk: self.end }
    }
}

/// How many bytes a state is on disk.
pub(super) fn written_bytes(state: &impl Persist) -> usize {
    let bytes = length(state).ok().and_then(|bytes| usize::try_from(bytes).ok());
    bytes.unwrap_or(usize::MAX)
}

fn length(state: &impl Persist) -> io::Result<u64> {
    let mut count = Count(0);
    state.write_to(&mut count)?;
    Ok(count.0)
}

/// Counts what is written.
struct Count(u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Snapshots in memory and on disk, for [`Multistage`].
#[derive(Debug)]
pub struct Tiered<S> {
    memory: Memory<S>,
    disk: Disk,
    tiers: Vec<Tier>,
}

impl<S> Tiered<S> {
    /// No snapshots; those that the schedule wants on disk go to a directory.
    ///
    /// # Errors
    /// If the directory cannot be made, or no file in it.
    pub fn new(schedule: &Multistage, directory: impl AsRef<Path>) -> Result<Self, DiskError> {
        Self::with_memory(schedule, directory, Memory::new())
    }

    pub(super) fn with_memory(
        schedule: &Multistage,
        directory: impl AsRef<Path>,
        memory: Memory<S>,
    ) -> Result<Self, DiskError> {
        let tiers = schedule.tiers().to_vec();
        Ok(Self { memory, disk: Disk::new(directory)?, tiers })
    }
}

impl<S: Clone + Persist> Store<S> for Tiered<S> {
    type Error = DiskError;

    fn store(&mut self, slot: usize, state: &S) -> Result<(), DiskError> {
        match self.tiers[slot] {
            Tier::Memory => Ok(self.memory.store(slot, state)?),
            Tier::Disk => self.disk.store(slot, state),
        }
    }

    fn restore(&mut self, slot: usize, spare: Option<S>) -> Result<S, DiskError> {
        match self.tiers[slot] {
            Tier::Memory => Ok(self.memory.restore(slot, spare)?),
            Tier::Disk => self.disk.restore(slot, spare),
        }
    }

    fn release(&mut self, slot: usize, spare: Option<S>) -> Result<S, DiskError> {
        match self.tiers[slot] {
            Tier::Memory => Ok(self.memory.release(slot, spare)?),
            Tier::Disk => self.disk.release(slot, spare),
        }
    }

    fn discard(&mut self, slot: usize) {
        match self.tiers[slot] {
            Tier::Memory => self.memory.discard(slot),
            Tier::Disk => Store::<S>::discard(&mut self.disk, slot),
        }
    }

    fn taken(&self) -> Taken {
        Taken { on_disk: self.disk.bytes(), ..self.memory.taken() }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_an_error_that_names_the_directory_and_loses_nothing() {
        let directory = std::env::temp_dir().join(format!("backsweep-full-{}", std::process::id()));
        let mut disk = Disk::new(&directory).unwrap();
        disk.store(0, &vec![1.0, 2.0]).unwrap();
        let full = OpenOptions::new().read(true).write(true).open("/dev/full").unwrap();
        let file = std::mem::replace(&mut disk.file, full);
        let error = disk.store(1, &vec![3.0; 100_000]).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("cannot write a snapshot in `/"), "{text}");
        assert!(text.contains("backsweep-full") && text.contains("No space left"), "{text}");
        // Now there is space.
        disk.file = file;
        disk.store(1, &vec![3.0; 100_000]).unwrap();
        assert_eq!(disk.restore(0, None::<Vec<f64>>).unwrap(), [1.0, 2.0]);
        assert_eq!(disk.restore(1, None::<Vec<f64>>).unwrap(), vec![3.0; 100_000]);
        drop(disk);
        assert!(!directory.exists());
    }
}
