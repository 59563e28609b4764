//! Distances, rotations and curves.

use backsweep::adjoint;

const EARTH_RADIUS: f64 = 6_371.008_8;
const FLATTENING: f64 = 1.0 / 298.257_223_563;
const SEMI_MINOR: f64 = 6_378.137 * (1.0 - FLATTENING);

/// The great-circle distance between two points in degrees.
#[adjoint]
#[sample((52.5, 13.4), (48.9, 2.35))]
pub fn haversine((lat1, lon1): (f64, f64), (lat2, lon2): (f64, f64)) -> f64 {
    let half_lat = 0.5 * (lat2 - lat1).to_radians();
    let half_lon = 0.5 * (lon2 - lon1).to_radians();
    let a = half_lat.sin().powi(2)
        + lat1.to_radians().cos() * lat2.to_radians().cos() * half_lon.sin().powi(2);
    2.0 * EARTH_RADIUS * a.sqrt().min(1.0).asin()
}

/// A rotation about an axis (Rodrigues), as a matrix.
#[adjoint]
#[sample([1.0, 2.0, -0.5], 0.7)]
pub fn rotation_matrix(axis: [f64; 3], angle: f64) -> [[f64; 3]; 3] {
    let norm = (axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]).sqrt();
    let (x, y, z) = (axis[0] / norm, axis[1] / norm, axis[2] / norm);
    let (s, c) = angle.sin_cos();
    let t = 1.0 - c;
    [
        [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
        [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
        [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
    ]
}

/// A point rotated by Euler angles.
#[adjoint]
#[sample([0.3, -0.8, 1.9], [1.0, 2.0, 3.0])]
pub fn rotate_euler(angles: &[f64; 3], p: &[f64; 3]) -> [f64; 3] {
    let mut q = *p;
    for axis in 0..3 {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let (s, c) = angles[axis].sin_cos();
        let (u, v) = (q[i], q[j]);
        q[i] = c * u - s * v;
        q[j] = s * u + c * v;
    }
    q
}

/// The product of two 3 × 3 matrices.
#[adjoint]
#[sample([[1.0, 0.2, 0.3], [0.4, 2.0, 0.1], [0.0, 0.5, 1.5]], [[0.3, 1.0, 0.0], [0.2, 0.6, -1.0], [0.9, 0.0, 0.1]])]
pub fn compose(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let mut c = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            for k in 0..3 {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c
}

/// The product of two quaternions, normalised.
#[adjoint]
#[sample([1.0, 0.2, 0.3, -0.4], [0.7, -0.1, 0.9, 0.2])]
pub fn quaternion_product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let [aw, ax, ay, az] = a;
    let [bw, bx, by, bz] = b;
    let mut q = [
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ];
    let norm = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    for v in q.iter_mut() {
        *v /= norm;
    }
    q
}

/// The area and the centroid of a polygon, by the shoelace formula.
#[adjoint]
#[sample([[0.0, 0.0], [2.0, 0.3], [2.4, 1.9], [0.5, 1.5]])]
pub fn polygon(points: &[[f64; 2]]) -> (f64, [f64; 2]) {
    let n = points.len();
    let mut area = 0.0;
    let mut centroid = [0.0; 2];
    for i in 0..n {
        let [x0, y0] = points[i];
        let [x1, y1] = points[(i + 1) % n];
        let cross = x0 * y1 - x1 * y0;
        area += cross;
        centroid[0] += (x0 + x1) * cross;
        centroid[1] += (y0 + y1) * cross;
    }
    area *= 0.5;
    centroid[0] /= 6.0 * area;
    centroid[1] /= 6.0 * area;
    (area, centroid)
}

/// A point of a Bézier curve by de Casteljau's algorithm, in place.
#[adjoint]
#[sample([[0.0, 0.0], [1.0, 2.0], [3.0, 3.0], [4.0, 0.5]], 0.35)]
pub fn de_casteljau(mut control: [[f64; 2]; 4], t: f64) -> [f64; 2] {
    for k in 1..control.len() {
        for i in 0..control.len() - k {
            for axis in 0..2 {
                control[i][axis] = (1.0 - t) * control[i][axis] + t * control[i + 1][axis];
            }
        }
    }
    control[0]
}

/// The distance of a point to a segment.
#[adjoint]
#[sample((1.0, 2.0), (0.0, 0.0), (3.0, 1.0))]
#[sample((-1.0, 2.0), (0.0, 0.0), (3.0, 1.0))]
#[sample((4.0, 2.0), (0.0, 0.0), (3.0, 1.0))]
pub fn distance_to_segment(p: (f64, f64), a: (f64, f64), b: (f64, f64)) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let t = ((p.0 - a.0) * dx + (p.1 - a.1) * dy) / (dx * dx + dy * dy);
    let (cx, cy);
    if t <= 0.0 {
        (cx, cy) = a;
    } else if t >= 1.0 {
        (cx, cy) = b;
    } else {
        cx = a.0 + t * dx;
        cy = a.1 + t * dy;
    }
    (p.0 - cx).hypot(p.1 - cy)
}

/// Geodetic latitude and height from Cartesian coordinates, by Bowring's iteration.
#[adjoint]
#[sample(4_000.0, 600.0, 4_900.0)]
pub fn geodetic(x: f64, y: f64, z: f64) -> (f64, f64, f64) {
    let a = 6_378.137;
    let e2 = FLATTENING * (2.0 - FLATTENING);
    let p = x.hypot(y);
    let mut latitude = z.atan2(p * (1.0 - e2));
    let mut height = 0.0;
    for _ in 0..5 {
        let sin = latitude.sin();
        let n = a / (1.0 - e2 * sin * sin).sqrt();
        height = p / latitude.cos() - n;
        latitude = z.atan2(p * (1.0 - e2 * n / (n + height)));
    }
    (latitude, y.atan2(x), height)
}

/// The eccentric anomaly from the mean anomaly: Kepler's equation.
#[adjoint]
#[sample(1.2, 0.3)]
#[sample(-0.1, 0.9)]
#[sample(7.5, 0.0)]
pub fn kepler(mean_anomaly: f64, eccentricity: f64) -> f64 {
    let m = mean_anomaly.rem_euclid(std::f64::consts::TAU);
    let mut e = if eccentricity > 0.8 { std::f64::consts::PI } else { m };
    for _ in 0..30 {
        let delta = (e - eccentricity * e.sin() - m) / (1.0 - eccentricity * e.cos());
        e -= delta;
        if delta.abs() < 1e-14 {
            break;
        }
    }
    e
}

/// sRGB to the lightness of CIELAB.
#[adjoint]
#[sample([0.2, 0.5, 0.8])]
#[sample([0.01, 0.02, 0.005])]
pub fn lightness(rgb: [f64; 3]) -> f64 {
    const WEIGHTS: [f64; 3] = [0.2126729, 0.7151522, 0.0721750];
    let mut y = 0.0;
    for i in 0..3 {
        let c = rgb[i];
        let linear = if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        y += WEIGHTS[i] * linear;
    }
    let f = if y > 216.0 / 24389.0 { y.cbrt() } else { (24389.0 / 27.0 * y + 16.0) / 116.0 };
    116.0 * f - 16.0
}

/// The length of the geodesic between two points in radians, by Vincenty's inverse formula.
#[adjoint]
#[sample(0.9163, 0.2339, 0.8535, 0.041)]
#[sample(0.3, 0.2, 0.3, 0.2)]
pub fn vincenty(lat1: f64, lon1: f64, lat2: f64, lon2: f64) -> f64 {
    let f = FLATTENING;
    let l = lon2 - lon1;
    let u1 = ((1.0 - f) * lat1.tan()).atan();
    let u2 = ((1.0 - f) * lat2.tan()).atan();
    let (sin_u1, cos_u1) = u1.sin_cos();
    let (sin_u2, cos_u2) = u2.sin_cos();
    let mut lambda = l;
    let mut iterations = 100;
    let (cos_sq_alpha, sin_sigma, cos_sigma, cos_2sm, sigma) = loop {
        let (sin_lambda, cos_lambda) = lambda.sin_cos();
        let t1 = cos_u2 * sin_lambda;
        let t2 = cos_u1 * sin_u2 - sin_u1 * cos_u2 * cos_lambda;
        let sin_sq = t1 * t1 + t2 * t2;
        if sin_sq == 0.0 {
            return 0.0;
        }
        let sin_sigma = sin_sq.sqrt();
        let cos_sigma = sin_u1 * sin_u2 + cos_u1 * cos_u2 * cos_lambda;
        let sigma = sin_sigma.atan2(cos_sigma);
        let sin_alpha = cos_u1 * cos_u2 * sin_lambda / sin_sigma;
        let cos_sq_alpha = 1.0 - sin_alpha * sin_alpha;
        let cos_2sm = if cos_sq_alpha == 0.0 {
            0.0
        } else {
            cos_sigma - 2.0 * sin_u1 * sin_u2 / cos_sq_alpha
        };
        let c = f / 16.0 * cos_sq_alpha * (4.0 + f * (4.0 - 3.0 * cos_sq_alpha));
        let previous = lambda;
        lambda = l
            + (1.0 - c)
                * f
                * sin_alpha
                * (sigma
                    + c * sin_sigma * (cos_2sm + c * cos_sigma * (2.0 * cos_2sm * cos_2sm - 1.0)));
        iterations -= 1;
        if (lambda - previous).abs() < 1e-13 || iterations == 0 {
            break (cos_sq_alpha, sin_sigma, cos_sigma, cos_2sm, sigma);
        }
    };
    let u_sq = cos_sq_alpha * ((6_378.137 / SEMI_MINOR).powi(2) - 1.0);
    let a = 1.0 + u_sq / 16384.0 * (4096.0 + u_sq * (-768.0 + u_sq * (320.0 - 175.0 * u_sq)));
    let b = u_sq / 1024.0 * (256.0 + u_sq * (-128.0 + u_sq * (74.0 - 47.0 * u_sq)));
    let delta = b
        * sin_sigma
        * (cos_2sm
            + b / 4.0
                * (cos_sigma * (2.0 * cos_2sm * cos_2sm - 1.0)
                    - b / 6.0
                        * cos_2sm
                        * (4.0 * sin_sigma * sin_sigma - 3.0)
                        * (4.0 * cos_2sm * cos_2sm - 3.0)));
    SEMI_MINOR * a * (sigma - delta)
}

/// Position in an orbit: semi-major axis, eccentricity, inclination, node, argument, mean anomaly.
#[adjoint]
#[sample([1.5, 0.2, 0.3, 1.0, 0.5, 2.0])]
pub fn orbit_position(elements: &[f64; 6]) -> [f64; 3] {
    let [a, e, i, node, argument, m] = *elements;
    let anomaly = kepler(m, e);
    let x = a * (anomaly.cos() - e);
    let y = a * (1.0 - e * e).sqrt() * anomaly.sin();
    let (sw, cw) = argument.sin_cos();
    let (sn, cn) = node.sin_cos();
    let (si, ci) = i.sin_cos();
    let (xw, yw) = (cw * x - sw * y, sw * x + cw * y);
    [cn * xw - sn * ci * yw, sn * xw + cn * ci * yw, si * yw]
}
